/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The bytes of html.css and html.js, made into C by cmake/embed.cmake when muster is built, and
 * their digests, by which a page allows them and no other style or script.
 */
#ifndef MST_REPORT_HTML_ASSETS_H
#define MST_REPORT_HTML_ASSETS_H

#include <stddef.h>

extern const unsigned char mst_html_css[];
extern const size_t mst_html_css_length;
extern const char mst_html_css_sha256[];
extern const unsigned char mst_html_js[];
extern const size_t mst_html_js_length;
extern const char mst_html_js_sha256[];

#endif
