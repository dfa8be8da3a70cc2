/** The options of the command line. */
export interface ConsoleOptions {
  readonly isOpened: boolean
  readonly isWritable: boolean
  readonly keyFile: string | undefined
  readonly port: number
  readonly sub: string
  readonly tenant: string | undefined
  readonly scope: string | undefined
  readonly url: string | undefined
  readonly tokenFile: string | undefined
}
