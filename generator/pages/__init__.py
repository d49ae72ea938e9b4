"""From a decoded catalogue to the built site: views, templates, files, downloads, `mkdocs`.

Each kind of page has one frozen view in which everything is decided (what is shown, in which
order, under which label, with which link and in which digits) and one template that only lays it
out. `render.render_pages` writes the pages, `build.build_site` builds them.
"""
