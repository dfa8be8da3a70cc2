/** The bearer token of the loopback listener. */
import { createHash, timingSafeEqual } from 'node:crypto'
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import { socketFail } from './errors.ts'

const MIN_TOKEN_BYTES = 32
/** Most bytes of the file. A larger one is not a token file. */
const MAX_TOKEN_BYTES = 4_096

/** Whether a token is that of the file. Takes the same time for every wrong token. */
export type TokenCheck = (presented: string) => boolean

/**
 * Reads a token file and checks its rules.
 * @throws SvcError `ERR_TOKEN_FILE`
 */
export function readTokenFile(file: string): TokenCheck {
  const expected = digest(readToken(file))
  return (presented) => timingSafeEqual(digest(presented), expected)
}

function readToken(file: string): string {
  let fd: number
  try {
    fd = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (cause) {
    const link = (cause as NodeJS.ErrnoException).code === 'ELOOP'
    throw socketFail('ERR_TOKEN_FILE', {
      message: `The token file ${file} ${link ? 'is a link' : 'cannot be opened'}.`,
      cause,
    })
  }
  try {
    // The open file is checked, so that it cannot be replaced between the check and the read.
    const found = fstatSync(fd)
    const mode = found.mode & 0o7777
    if (!found.isFile()) throw refused(file, 'is no regular file')
    if (found.uid !== process.getuid!()) throw refused(file, `belongs to user ${found.uid}`)
    if (mode !== 0o600) throw refused(file, `has mode 0${mode.toString(8)}`)
    if (found.size > MAX_TOKEN_BYTES) throw refused(file, 'is too long')
    const token = readFileSync(fd, 'latin1').replace(/\r?\n$/, '')
    if (token.length < MIN_TOKEN_BYTES) throw refused(file, `holds fewer than ${MIN_TOKEN_BYTES} bytes`)
    if (!/^[\x21-\x7e]+$/.test(token)) throw refused(file, 'holds characters that a header cannot carry')
    return token
  } finally {
    closeSync(fd)
  }
}

function refused(file: string, why: string): Error {
  return socketFail('ERR_TOKEN_FILE', { message: `The token file ${file} ${why}.` })
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
