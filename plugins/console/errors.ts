/** What the console refuses. */
import { defineErrors, type ErrorCatalogue } from '../../core/errors.ts'

type ConsoleCode =
  | 'wrong_host'
  | 'foreign_origin'
  | 'path_invalid'
  | 'code_used'
  | 'session_missing'
  | 'read_only'
  | 'member_invalid'
  | 'key_missing'
  | 'no_local_surface'
  | 'no_own_store'
  | 'service_away'

/** The codes of the console's server. */
export const consoleFail: ErrorCatalogue<ConsoleCode> = defineErrors<ConsoleCode>({
  wrong_host: { status: 421, message: 'This server answers under its address and no other name.' },
  foreign_origin: { status: 403, message: 'The request was not sent by the page of this console.' },
  path_invalid: {
    status: 400,
    message: 'The path has to be plain: no dots, no empty segments, no encoded slash between dots.',
  },
  code_used: {
    status: 403,
    message: 'This address has been used, or is not the newest one.',
    hint: 'Press Enter where svc console runs, or run it again: it prints a fresh address.',
  },
  session_missing: {
    status: 401,
    message: 'Open the address that svc console printed.',
    hint: 'It works once. Press Enter where svc console runs, or run it again: it prints a fresh one.',
  },
  read_only: {
    status: 403,
    message: 'This console only reads.',
    hint: 'Start it with --write: svc console --write, for boards with --key <file> too.',
  },
  member_invalid: { status: 400, message: 'A member of the body is not valid.' },
  key_missing: {
    status: 409,
    message: 'This console has no key to sign with.',
    hint: 'svc device keygen --out me.key; svc device enroll --key me.key.pub --scope kbd-control:<project>; svc console --write --key me.key',
  },
  no_local_surface: {
    status: 404,
    message: 'This console has no local surface.',
    hint: 'Start it without --url, with a program that has the local sync API.',
  },
  no_own_store: {
    status: 404,
    message: 'This console has no store of a node.',
    hint: 'Start it without --url, as the user whose service it is.',
  },
  service_away: {
    status: 502,
    message: 'The service does not answer.',
    hint: 'Start it: make run in the folder of the project, or the program svc itself.',
  },
})
