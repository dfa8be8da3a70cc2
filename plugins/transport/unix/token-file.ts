/** The bearer token of the loopback listener. */
import { createHash, timingSafeEqual } from 'node:crypto'
import { readOwnFile } from '../own-file.ts'
import { socketFail } from './errors.ts'

const MIN_TOKEN_BYTES = 32

/** Whether a token is that of the file. Takes the same time for every wrong token. */
export type TokenCheck = (presented: string) => boolean

/**
 * Reads a token file and checks its rules.
 * @throws SvcError `ERR_TOKEN_FILE`
 */
export function readTokenFile(file: string): TokenCheck {
  const refuse = (why: string, cause?: unknown): Error =>
    socketFail('ERR_TOKEN_FILE', { message: `The token file ${file} ${why}.`, cause })
  const token = readOwnFile(file, [0o600], refuse)
  if (token.length < MIN_TOKEN_BYTES) throw refuse(`holds fewer than ${MIN_TOKEN_BYTES} bytes`)
  const expected = digest(token)
  return (presented) => timingSafeEqual(digest(presented), expected)
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
