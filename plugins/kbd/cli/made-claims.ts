/** Claims as the service judges them, and claims that an earlier call with the same id has made. */
import { CommandRefusal } from '../../../core/declare/command.ts'
import type { Claim, Command, Project } from '../api.ts'
import type { JudgedClaim } from './api.ts'
import type { BoardClient } from './client.ts'

/** The parts of the actions that make claims. */
export interface MadeClaims {
  /** A claim, with its state at the present time of the service. */
  judged(claimId: string): Promise<JudgedClaim>
  /** The claim of an earlier call with this id. Rejects with `claim_not_held` if it has ended. */
  repeated(claimId: string | undefined): Promise<JudgedClaim | undefined>
  /** Enters a command that makes a claim. Rejects with `claim_not_held` if an earlier claim had this id. */
  make(claimId: string, command: (now: Project) => Command): Promise<JudgedClaim>
}

/** Makes the parts. */
export function createMadeClaims({ enter, project, service }: BoardClient): MadeClaims {
  const ended = (): CommandRefusal =>
    new CommandRefusal('claim_not_held', 'The claim that the first such call made has ended.')
  const judged = async (claimId: string): Promise<JudgedClaim> => {
    const { project: name } = await project()
    const path = `/api/v1/kbd/projects/${name}/claims?state=all`
    const { claims, nowMs } = await service.get<{ claims: readonly Claim[]; nowMs: number }>(path)
    const claim = claims.find((candidate) => candidate.claimId === claimId)
    if (claim === undefined) throw new CommandRefusal('claim_not_held', 'The claim was lost to another claim at once.')
    return { claim, nowMs }
  }
  return {
    judged,
    async repeated(claimId) {
      if (claimId === undefined || (await project()).claims[claimId] === undefined) return undefined
      const judgedClaim = await judged(claimId)
      if (judgedClaim.claim.state !== 'held') throw ended()
      return judgedClaim
    },
    async make(claimId, command) {
      try {
        await enter(command)
      } catch (error) {
        // A board no longer lists a claim that was followed by another one.
        throw error instanceof CommandRefusal && error.code === 'entity_exists' ? ended() : error
      }
      return judged(claimId)
    },
  }
}
