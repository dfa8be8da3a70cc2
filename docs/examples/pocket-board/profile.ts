/** A board for a phone: `make build PROFILE=docs/examples/pocket-board/profile.ts`. */
import { defineProfile, type Profile } from 'svc/plugin'

/** Profile `pocket-board`. */
export const profile: Profile = defineProfile({
  name: 'pocket-board',
  summary: 'The sync engine with boards, as a library over bytes that the host keeps',
  extends: 'embedded-mobile',
  library: { features: { 'kbd.engine': true } },
})
