/** The words of things in the index. Things whose words change are noted, and their words are written together. */
import type { Codecs } from '../engine/codecs.ts'
import { type IndexStatements, TEXT_CHARS } from './statements.ts'

/** Writes the words of one database. A note that outlives a rollback is harmless: the same words are written again. */
export class Words {
  readonly #statements: IndexStatements
  readonly #fromBase64: Codecs['fromBase64']
  readonly #noted = new Set<number>()

  constructor(statements: IndexStatements, fromBase64: Codecs['fromBase64']) {
    this.#statements = statements
    this.#fromBase64 = fromBase64
  }

  /** Notes a thing whose words are not those of the index. */
  note(n: number): void {
    this.#noted.add(n)
  }

  /**
   * Writes the words of all noted things, in the order of their rows, because FTS5 writes its own tables only once
   * then.
   */
  flush(): void {
    const all = [...this.#noted].sort((one, other) => one - other)
    this.#noted.clear()
    for (const n of all) {
      this.#statements.deleteWords(n)
      const row = this.#statements.wordsRow(n)
      if (row === undefined) continue
      const [p, title, hash] = row
      this.#statements.insertWords(n, title, this.textOf(p, hash) ?? '')
    }
  }

  /**
   * The beginning of a text, which is indexed; undefined if the text is not here, empty if it is not UTF-8 or damaged.
   */
  textOf(p: number, hash: string | null): string | undefined {
    const data = this.#statements.dataStart(p, hash)
    if (data === undefined) return undefined
    const bytes = this.#fromBase64(data)
    // The check of the store finds damage. Here it must not refuse the command that changes a title.
    return (bytes && decode(bytes, data.length === TEXT_CHARS)) ?? ''
  }
}

/** Undefined if bytes are not UTF-8. The beginning of a text may end within a character. */
function decode(bytes: Uint8Array, isBeginning: boolean): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: isBeginning })
  } catch {
    return undefined
  }
}
