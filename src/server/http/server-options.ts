import type { Actor, Services } from '../context.ts'
import type { Route } from './route.ts'

export interface ServerOptions {
  services: Services
  routes: readonly Route[]
  /** Who a bearer token stands for, null when it is not good. */
  authenticate: (token: string) => Promise<Actor | null>
  /** The built client; without it only the API is served. */
  staticRoot?: string
  /** Check every answer against its contract; on outside production. */
  checkResponses: boolean
  version: string
  /** How long a request may take to arrive whole; 30 seconds when absent. */
  requestTimeoutMs?: number
}
