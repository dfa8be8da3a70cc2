/** Paths of the requests between nodes. */

const PEER = '/api/v2/peer'

/** Paths of requests that this node sends. */
export const paths: {
  readonly pushes: string
  readonly commands: string
  readonly acks: string
  readonly pairings: string
  project(project: string): string
} = {
  pushes: `${PEER}/pushes`,
  commands: `${PEER}/commands`,
  acks: `${PEER}/acks`,
  pairings: `${PEER}/pairings`,
  project: (project) => `${PEER}/projects/${project}`,
}
