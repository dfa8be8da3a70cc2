/**
 * From so many bytes on, a body is put together while it arrives. To join its chunks at the end takes some 10 ms for a MiB, in one
 * stretch, and several bodies may end in one turn of the event loop.
 */
export const LARGE_BODY_BYTES = 131_072
