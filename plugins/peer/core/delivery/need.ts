/** What a peer needs before it can apply a push. */
import { isObject } from '../../../../core/kernel/values.ts'
import { badAnswer } from '../asking/peer-refusal.ts'
import { isHash, MAX_IDS } from '../wire/bodies.ts'

/** What a peer needs. */
export interface Missing {
  /**
   * The newest commands that the peer has. It also has everything in their past, and lacks some of the other commands.
   */
  readonly heads: readonly string[]
  /** Hashes of the texts that the peer lacks. */
  readonly content: readonly string[]
}

/** Most texts that a peer may ask for in one response. */
const MAX_CONTENT = 1_000
/** Rounds of commands alone, without a new text, after which a delivery gives up. */
const MAX_ROUNDS = 2

/** Reads the `need` of a response. Throws `bad_answer` for anything else. */
export function readNeed(value: unknown): Missing {
  if (!isObject(value) || !isObject(value['have']))
    throw badAnswer('The peer neither has enough nor says what it needs.')
  const { heads } = value['have']
  const { content } = value
  if (!isHashes(heads, MAX_IDS) || !isHashes(content, MAX_CONTENT))
    throw badAnswer('What the peer needs is not of the right form.')
  return { heads, content }
}

function isHashes(value: unknown, most: number): value is readonly string[] {
  return Array.isArray(value) && value.length <= most && value.every(isHash)
}

/**
 * Creates the check that a delivery makes progress. Call it after each round with what the peer needed and the number
 * of commands that were sent. It throws `bad_answer` if the peer asks for a text twice, or for commands in too many
 * rounds. Texts may take any number of rounds.
 */
export function createProgressCheck(): (need: Missing, count: number) => void {
  const texts = new Set<string>()
  let rounds = 0
  return ({ content }, count) => {
    const before = texts.size
    for (const hash of content) texts.add(hash)
    rounds = texts.size > before ? 0 : rounds + 1
    if (texts.size < before + content.length || rounds > MAX_ROUNDS || count + content.length === 0)
      throw badAnswer('The peer asks again for what it was given.')
  }
}
