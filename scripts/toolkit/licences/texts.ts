/** Reads the licence texts of installed packages. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Size limit of a licence file in bytes. */
const LONGEST_BYTES = 1_048_576

const NAME = /^(?:licen[cs]es?|copying|notice|copyright)(?:[.-][\w.-]*)?$/i

/** One licence text. */
export interface LicenceText {
  readonly file: string
  readonly text: string
}

/** The texts in a folder, sorted by file name, without characters that control a terminal. */
export function licenceTexts(folder: string): LicenceText[] {
  return readdirSync(folder)
    .filter((name) => NAME.test(name))
    .sort()
    .flatMap((name) => {
      const path = join(folder, name)
      const { size } = statSync(path)
      if (!statSync(path).isFile() || size > LONGEST_BYTES) return []
      return [{ file: name, text: printable(readFileSync(path, 'utf8')) }]
    })
}

/** A text without control characters, except line feeds and tabs. */
export function printable(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '')
}
