type Camel<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Name

/** Settings by their names in code. */
export type OwnNames<Settings> = {
  readonly [Key in keyof Settings as Key extends `${string}.${infer Name}` ? Camel<Name> : never]: Settings[Key]
}

/** Converts settings to their names in code: `realtime.run_max_events` becomes `runMaxEvents`. */
export function ownNames<Settings extends object>(settings: Settings): OwnNames<Settings> {
  const named = Object.entries(settings).map(([key, value]) => [
    key.replace(/.*\./, '').replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
    value,
  ])
  return Object.fromEntries(named) as OwnNames<Settings>
}
