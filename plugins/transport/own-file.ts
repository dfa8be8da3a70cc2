/** Secrets in files that nobody but this user may read. */
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'

/** More is no secret but the wrong file. */
const MAX_BYTES = 4_096

/**
 * Reads a regular file of this user with one of these modes, without the line end at its end. `refuse` makes the error
 * for a file that is not one, from words that follow its name.
 */
export function readOwnFile(
  file: string,
  modes: readonly number[],
  refuse: (why: string, cause?: unknown) => Error,
): string {
  let fd: number
  try {
    fd = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (cause) {
    const link = (cause as NodeJS.ErrnoException).code === 'ELOOP'
    throw refuse(link ? 'is a link' : 'cannot be opened', cause)
  }
  try {
    // The open file is examined, and not its path, so that nobody can put another file there between the check and the
    // reading.
    const stats = fstatSync(fd)
    const mode = stats.mode & 0o7777
    if (!stats.isFile()) throw refuse('is no regular file')
    if (stats.uid !== process.getuid?.()) throw refuse(`belongs to user ${stats.uid}`)
    if (!modes.includes(mode)) throw refuse(`has mode 0${mode.toString(8)}`)
    if (stats.size > MAX_BYTES) throw refuse('is too long')
    const text = readFileSync(fd, 'latin1').replace(/\r?\n$/, '')
    if (!/^[\x21-\x7e]*$/.test(text)) throw refuse('holds characters that a header cannot carry')
    return text
  } finally {
    closeSync(fd)
  }
}
