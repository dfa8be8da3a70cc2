/**
 * From so many bytes on, a body is put together while it arrives. To join the chunks of one MiB at its end takes some
 * 10 ms, and several bodies may end in one turn of the event loop. A smaller body takes about 1 ms at most.
 */
export const LARGE_BODY_BYTES = 131_072
