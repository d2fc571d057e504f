"use strict";

start();
