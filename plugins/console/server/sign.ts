/** Signs commands of boards with the key that `--key` names. */
import type { SvcError } from '../../../core/errors.ts'
import { isObject } from '../../../core/is-object.ts'
import { PROJECT_NAME } from '../../protocol/project-name.ts'
import { type CommandEnvelope, type DeviceKey, signCommand } from '../../protocol/sign/index.ts'
import { consoleFail } from '../errors.ts'
import type { SignRequest } from '../session.ts'
import type { Members } from './body.ts'

const HASH = /^[0-9a-f]{64}$/

/**
 * Signs the command of a request. What is signed has the members of a command, whatever the request has, so that nothing else can be
 * signed through here, such as a push. Throws `key_missing` without a key, and `member_invalid`.
 */
export async function signFor(
  key: DeviceKey | undefined,
  { project, command, parents, newestParentMs = 0 }: Members<SignRequest>,
): Promise<CommandEnvelope> {
  if (key === undefined) throw consoleFail('key_missing')
  if (typeof project !== 'string' || !PROJECT_NAME.test(project)) throw wrong('project is the name of a project.')
  if (!isObject(command) || typeof command['type'] !== 'string') throw wrong('command is an object with a type.')
  if (!Array.isArray(parents) || !parents.every((one) => typeof one === 'string' && HASH.test(one)))
    throw wrong('parents is an array of hashes of 64 lower-case hex digits.')
  if (typeof newestParentMs !== 'number' || !Number.isSafeInteger(newestParentMs) || newestParentMs < 0)
    throw wrong('newestParentMs is a Unix time in milliseconds.')
  try {
    return await signCommand(key, {
      project,
      command: command as CommandEnvelope['command'],
      parents: parents as readonly string[],
      newestParentMs,
    })
  } catch (error) {
    // A text with half of a surrogate pair has no canonical form.
    throw wrong((error as Error).message)
  }
}

function wrong(message: string): SvcError {
  return consoleFail('member_invalid', { message })
}
