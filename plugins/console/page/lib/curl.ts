/** Requests of the page as commands of a shell. */
import { session } from './service.ts'

/** A GET of the local surface: over the Unix socket, as the user who runs the service. */
export function localCurl(path: string): string {
  return `curl --unix-socket ${quoted(session.value?.local?.socket ?? '')} ${quoted(`http://localhost${path}`)}`
}

/** A word of a POSIX shell that stands for itself. */
export function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
