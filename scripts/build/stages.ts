/** The stages of a build. */

/** The stages in order; each includes those before it. */
export const stages = ['plan', 'generate', 'bundle', 'prove', 'start', 'pack'] as const

/** Name of a stage. */
export type Stage = (typeof stages)[number]
