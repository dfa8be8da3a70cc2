/** Signs commands of boards with the key of `--key`. */
import type { SvcError } from '../../../core/declare/errors.ts'
import { isObject } from '../../../core/kernel/values.ts'
import { PROJECT_NAME } from '../../protocol/scopes.ts'
import { type CommandEnvelope, type DeviceKey, signCommand } from '../../protocol/sign/index.ts'
import { consoleFail } from '../errors.ts'
import type { SignRequest } from '../session.ts'
import type { Members } from './body.ts'

const HASH = /^[0-9a-f]{64}$/

/**
 * Signs the command of a request. The signed object always has the members of a command envelope, so that a request
 * cannot get a signature for something else, such as a push. Throws `key_missing` without a key, and `member_invalid`
 * for an invalid member.
 */
export async function signFor(
  key: DeviceKey | undefined,
  { project, command, parents }: Members<SignRequest>,
): Promise<CommandEnvelope> {
  if (key === undefined) throw consoleFail('key_missing')
  if (typeof project !== 'string' || !PROJECT_NAME.test(project))
    throw invalid('project must be the name of a project.')
  if (!isObject(command) || typeof command['type'] !== 'string') throw invalid('command must be an object with a type.')
  if (!Array.isArray(parents) || !parents.every((parent) => typeof parent === 'string' && HASH.test(parent)))
    throw invalid('parents must be an array of hashes of 64 lower-case hex digits.')
  try {
    return await signCommand(key, {
      project,
      command: command as CommandEnvelope['command'],
      parents: parents as readonly string[],
    })
  } catch (error) {
    // A text with half of a surrogate pair has no canonical form.
    throw invalid((error as Error).message)
  }
}

function invalid(message: string): SvcError {
  return consoleFail('member_invalid', { message })
}
