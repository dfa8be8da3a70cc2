/** A board for a phone with a SQLite of its own: `make build PROFILE=docs/examples/pocket-board/native.ts`. */
import { defineProfile, type Profile } from 'svc/plugin'

/** Profile `pocket-native`. */
export const profile: Profile = defineProfile({
  name: 'pocket-native',
  summary: 'The sync engine with boards, as a library on the SQLite of its host',
  extends: 'embedded-native',
  library: { features: { 'kbd.engine': true } },
})
