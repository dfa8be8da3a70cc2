/** The error codes of the local listeners. */
import { defineErrors, type ErrorCatalogue } from '../../../core/declare/errors.ts'

type SocketCode =
  | 'ERR_PEER_CREDENTIALS'
  | 'ERR_SOCKET_DIRECTORY'
  | 'ERR_SOCKET_INHERITED'
  | 'ERR_SOCKET_PATH'
  | 'ERR_SOCKET_LOCKED'
  | 'ERR_TOKEN_FILE'

/** The codes of the local listeners. None reaches a client. */
export const socketFail: ErrorCatalogue<SocketCode> = defineErrors<SocketCode>({
  ERR_PEER_CREDENTIALS: {
    message: 'The credentials of a peer cannot be asked on this system.',
    hint: 'The socket checks who connects and does not open without that. It needs Linux or macOS and the package koffi.',
  },
  ERR_SOCKET_DIRECTORY: {
    message: 'The folder of the socket is not a private one.',
    hint: 'It must be a folder, not a link, owned by this user, with mode 0700.',
  },
  ERR_SOCKET_INHERITED: {
    message: 'The socket of the service manager cannot be used.',
    hint: 'The socket unit has one ListenStream=, and its path is that of sync.socket_path.',
  },
  ERR_SOCKET_PATH: { message: 'The path of the socket cannot be used.', hint: 'Set sync.socket_path.' },
  ERR_SOCKET_LOCKED: {
    message: 'Another service holds this socket.',
    hint: 'Stop it, or set sync.socket_path to another path.',
  },
  ERR_TOKEN_FILE: {
    message: 'The token file cannot be used.',
    hint: 'A regular file, not a link, owned by this user, mode 0600, with a token of 32 characters or more: umask 077; openssl rand -hex 32 > token',
  },
})
