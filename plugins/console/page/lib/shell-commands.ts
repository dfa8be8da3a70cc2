/** Shell commands with the same effect as the page, for copying. */
import { session } from './service.ts'

/** The curl option with a token of the console's user. */
export function authorization(): string {
  return `-H "Authorization: Bearer $(svc token --sub ${quoted(session.value?.runtime?.user ?? 'developer')})"`
}

/** An address of the runtime surface, quoted for a shell. */
export function runtimeUrl(path: string): string {
  return quoted(`${session.value?.runtime?.origin ?? 'http://127.0.0.1:8080'}${path}`)
}

/** The command that creates a run. */
export function createRunCommand(): string {
  return `curl -X POST ${authorization()} -H 'Content-Type: application/json' -d '{"run_id":"hello"}' ${runtimeUrl('/api/svc/runs')}`
}

/**
 * The command that sends a GET request to the local surface over the Unix socket. It needs the user who runs the
 * service.
 */
export function localCurl(path: string): string {
  return `curl --unix-socket ${quoted(session.value?.local?.socket ?? '')} ${quoted(`http://localhost${path}`)}`
}

/** Quotes a word for a POSIX shell, if it needs quotes. */
export function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}

/** Copies a text to the clipboard. Returns false if the browser does not allow it. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}
