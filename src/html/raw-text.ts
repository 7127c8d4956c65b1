/** Elements in which browsers read no tags (HTML standard, sections 13.2.6.2 and 13.2.6.4.7). */
export const RAW_TEXT: ReadonlySet<string> = new Set([
  ...['iframe', 'noembed', 'noframes', 'plaintext', 'script', 'style', 'textarea', 'title', 'xmp'],
])
