/**
 * The followers of all projects. The readers of a project share one mirror and one log of encoded commands; the state
 * of a reader is its revision. A reader that is new, or so far behind that the log lacks commands after its revision,
 * gets the whole project. So a slow reader costs no memory, and never sees a state that did not exist.
 */
import type { Applied } from '../api.ts'
import { FollowedProject } from './followed-project.ts'
import type { MirrorStart } from './mirror.ts'
import type { FollowerConnection } from './readers.ts'

/** The parts of followers. */
export interface FollowersOptions {
  /**
   * The present state of a project, not older than the last command passed to `applied`; `bytes` are the body of GET
   * project.
   */
  snapshot(project: string): Promise<MirrorStart & { readonly bytes: Uint8Array }>
  /** Bytes of commands that are kept for the readers of one project. */
  readonly maxBytes: number
  /**
   * Bytes of former snapshots that stalled readers of one project may hold. The streams of the longest stalled end
   * first.
   */
  readonly maxHeldBytes: number
  /** Called if a project cannot be read. Its readers are ended and may connect again. */
  onError(error: unknown): void
}

/** The followers of all projects. */
export interface Followers {
  /** Sends a project and every command after it, from the opening event on. */
  follow(project: string, connection: FollowerConnection, opening: string): void
  /** Sends the next command of a project, once it is on disk. */
  applied(applied: Applied): void
  /** The number of projects that have a reader. */
  readonly size: number
}

/** Makes the followers. */
export function createFollowers({ snapshot, maxBytes, maxHeldBytes, onError }: FollowersOptions): Followers {
  const projects = new Map<string, FollowedProject>()
  return {
    follow(project, connection, opening) {
      let followed = projects.get(project)
      if (followed === undefined) {
        followed = new FollowedProject({
          snapshot: () => snapshot(project),
          maxBytes,
          maxHeldBytes,
          onError,
          onEmpty: () => projects.delete(project),
        })
        projects.set(project, followed)
      }
      followed.add(connection, opening)
    },
    applied: (applied) => projects.get(applied.project)?.applied(applied),
    get size() {
      return projects.size
    },
  }
}
