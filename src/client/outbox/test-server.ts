import { ApiError, NetworkError } from '../api/api-error.ts'
import type { OutboxRoute, SendEdit } from './flush-outbox.ts'

/** The server, as far as the outbox knows it: each call takes the next of the answers, else it is taken. For tests. */
export const server: {
  answers: (() => Promise<unknown>)[]
  sent: { row: number; set: object; version: number | null }[]
  told: string[]
  shop: string | undefined
} = { answers: [], sent: [], told: [], shop: undefined }

/** Nothing sent, nothing told, and the shop of the test's edits worked in. */
export function resetServer(): void {
  Object.assign(server, { answers: [], sent: [], told: [], shop: '1/1' })
}

const send: SendEdit = ({ row, set }, version) => {
  server.sent.push({ row, set, version })
  return (server.answers.shift() ?? (() => Promise.resolve({})))()
}
export const route: OutboxRoute = {
  senders: { campaign: () => Promise.resolve(send) },
  shop: () => server.shop,
  onSent: ({ name }) => server.told.push(`sent ${name}`),
  onRefused: ({ name }, reason) => server.told.push(`refused ${name}: ${reason}`),
}

/** An answer that refuses. */
export const refuse =
  (status: number, errorCode: string, extra: object = {}) =>
  () =>
    Promise.reject(
      new ApiError(
        status,
        { errorCode: errorCode as 'FORBIDDEN', message: 'No.', details: [], requestId: '' },
        { ...extra },
      ),
    )
export const conflict = (current: object) => refuse(409, 'VERSION_CONFLICT', { current })
export const lost = () => Promise.reject(new NetworkError(false, 'gone'))
export const slow = () => Promise.reject(new NetworkError(true, 'late'))
