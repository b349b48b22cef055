/* SPDX-License-Identifier: Apache-2.0 */
/* Fetching the comparison page: the only use of a network, on request, of one address. */
#include <string.h>

#include "base/alloc.h"
#include "base/status.h"
#include "manifest/table.h"

#define DOCUMENTATION "https://docs.nvidia.com/cupynumeric/"
#define PAGE "/api/comparison.html"

bool mst_manifest_is_url(const char *place) { return strstr(place, "://") != NULL; }

/* https://docs.nvidia.com/cupynumeric/VERSION/api/comparison.html */
static bool is_page(const char *url) {
  if (!mst_starts_with(url, DOCUMENTATION)) return false;
  const char *version = url + strlen(DOCUMENTATION);
  const size_t length =
      strspn(version, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.-");
  return length > 0 && version[0] != '.' && strcmp(version + length, PAGE) == 0;
}

static muster_status check_url(const char *url, muster_error *error) {
  if (is_page(url)) return MUSTER_OK;
  return mst_fail(error, MUSTER_ERR_USAGE, url,
                  "is not fetched: the only address is " DOCUMENTATION "latest" PAGE
                  " (or that of another version); a page from elsewhere can be given as a file");
}

#ifndef MST_HAVE_CURL

muster_status mst_manifest_fetch(const char *url, char **html, size_t *length,
                                 muster_error *error) {
  *html = NULL;
  *length = 0;
  const muster_status status = check_url(url, error);
  if (status != MUSTER_OK) return status;
  return mst_fail(error, MUSTER_ERR_UNSUPPORTED, url,
                  "cannot be fetched: muster was built without libcurl; save the page and name "
                  "the file");
}

#else

#include <curl/curl.h>

#define MAX_PAGE ((size_t)4 << 20)

static size_t receive(char *data, size_t size, size_t count, void *page) {
  mst_str *text = page;
  if (text->length + size * count > MAX_PAGE) return 0;
  mst_str_add_bytes(text, data, size * count);
  return text->failed ? 0 : size * count;
}

static CURLcode get(CURL *curl, const char *url, mst_str *page, char *why) {
  curl_easy_setopt(curl, CURLOPT_URL, url);
  curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "https");
  curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 0L); /* not even this address may lead elsewhere */
  curl_easy_setopt(curl, CURLOPT_FAILONERROR, 1L);
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, 20L);
  curl_easy_setopt(curl, CURLOPT_TIMEOUT, 120L);
  curl_easy_setopt(curl, CURLOPT_ACCEPT_ENCODING, "");
  curl_easy_setopt(curl, CURLOPT_USERAGENT, "muster");
  curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, why);
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, receive);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, page);
  return curl_easy_perform(curl);
}

muster_status mst_manifest_fetch(const char *url, char **html, size_t *length,
                                 muster_error *error) {
  *html = NULL;
  *length = 0;
  muster_status status = check_url(url, error);
  if (status != MUSTER_OK) return status;
  CURL *curl = curl_easy_init();
  if (curl == NULL) return mst_fail_memory(error);
  mst_str page = {0};
  char why[CURL_ERROR_SIZE] = "";
  const CURLcode code = get(curl, url, &page, why);
  curl_easy_cleanup(curl);
  if (code != CURLE_OK)
    status = mst_fail(error, MUSTER_ERR_IO, url, "cannot be fetched: %s",
                      why[0] != '\0' ? why : curl_easy_strerror(code));
  *length = page.length;
  if (status == MUSTER_OK && (*html = mst_str_take(&page)) == NULL) status = mst_fail_memory(error);
  mst_str_reset(&page);
  return status;
}

#endif
