/** The errors of the console's server. */
import { defineErrors, type ErrorCatalogue } from '../../core/declare/errors.ts'

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
  | 'invitation_unknown'
  | 'service_away'

/** Creates the errors of the console's server by their code. */
export const consoleFail: ErrorCatalogue<ConsoleCode> = defineErrors<ConsoleCode>({
  wrong_host: { status: 421, message: 'This server answers requests for its own address only.' },
  foreign_origin: { status: 403, message: 'The request was not sent by the page of this console.' },
  path_invalid: {
    status: 400,
    message:
      'The path must not have empty segments, segments of one or two dots, or characters such as # and backslash.',
  },
  code_used: {
    status: 403,
    message: 'This address has been used, or a newer address has been printed.',
    hint: 'Press Enter in the terminal that printed it, or start the command again: it prints a new address.',
  },
  session_missing: {
    status: 401,
    message: 'Open the address that the terminal printed.',
    hint: 'The address works once. Press Enter in that terminal, or start the command again: it prints a new address.',
  },
  read_only: {
    status: 403,
    message: 'This console only reads.',
    hint: 'Start it with svc console --write. For changes of boards add --key <file>.',
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
    hint: 'Start the console without --url, with a program that has the local sync API.',
  },
  no_own_store: {
    status: 404,
    message: 'This console has no access to the store of a node.',
    hint: 'Start the console without --url, as the user who runs the service.',
  },
  invitation_unknown: { status: 404, message: 'No open invitation has this id.' },
  service_away: {
    status: 502,
    message: 'The service does not answer.',
    hint: 'Start the service: make run in the folder of the project, or the program svc.',
  },
})
