/** All features of `server-full`, and the assistant: `make build PROFILE=docs/examples/assistant/profile.ts`. */
import { defineProfile, type Profile } from 'svc/plugin'

/** Profile `assistant`. */
export const profile: Profile = defineProfile({
  name: 'assistant',
  summary: 'A server with an assistant that records what it does',
  extends: 'server-full',
  library: { features: { 'example.assistant': true } },
  own: { 'example.assistant': './feature.ts' },
})
