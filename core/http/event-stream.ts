/** Event streams (WHATWG HTML, "Server-sent events"), as every surface sends them. */

/** Headers of every stream: never cached, never buffered by a proxy, never compressed on the way. */
export const streamHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
}
