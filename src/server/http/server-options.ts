import type { Actor, Services } from '../context.ts'
import type { Route } from './route.ts'

export interface ServerOptions {
  services: Services
  routes: readonly Route[]
  /** The actor of a bearer token, null if the token is invalid. */
  authenticate: (token: string) => Promise<Actor | null>
  /** The folder of the built client; without it only the API is served. */
  staticRoot?: string
  /** Checks every response against its schema; on outside production. */
  checkResponses: boolean
  version: string
  /** How long a client may take to send a request; 30 seconds by default. */
  requestTimeoutMs?: number
}
