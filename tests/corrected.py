"""Files that a page of the Workbench hands out: remarks, and a corrected gold standard."""

import shutil


def export(page, name, path):
    page.locator("summary", has_text="Export").click()
    with page.expect_download() as waiting:
        page.get_by_role("button", name=name, exact=True).click()
    shutil.copy(waiting.value.path(), path)
    return path


def correct(page, path, new):
    """Choose files in the page, and keep what they become."""
    files = sorted(path.iterdir()) if path.is_dir() else [path]
    kept = []

    def keep(download):
        kept.append(download)

    page.on("download", keep)
    with page.expect_file_chooser() as chooser:
        page.locator("summary", has_text="Export").click()
        page.locator("[data-export=corrected]").click()
    page.evaluate("document.getElementById('status').textContent = ''")  # of an earlier correction
    chooser.value.set_files(files)
    said = (
        "[...document.querySelectorAll('#status, #warning')].map((box) => box.textContent).join()"
    )
    page.wait_for_function(f"() => /corrected file|Nothing was/.test({said})")
    number = int(page.locator("#status").inner_text().split()[0])
    while len(kept) < number:
        page.wait_for_timeout(50)
    new.mkdir()
    for download in kept:
        download.save_as(new / download.suggested_filename)
    return {file.name: file.read_bytes() for file in new.iterdir()}
