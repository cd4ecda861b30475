import { ApiError, NetworkError } from '#client/api/api-error.ts'
import type { OutboxRoute, SendEdit } from '#client/outbox/flush-outbox.ts'

/** The server, as far as the outbox knows it: each call takes the next of the answers, else it is taken. For tests. */
export const server: {
  answers: (() => Promise<unknown>)[]
  sent: { row: number; set: object; version: number | null }[]
  outcomes: string[]
  shop: string | undefined
} = { answers: [], sent: [], outcomes: [], shop: undefined }

/** Resets the server: nothing sent, no outcomes, and the shop of the test's edits is current. */
export function resetServer(): void {
  Object.assign(server, { answers: [], sent: [], outcomes: [], shop: '1/1' })
}

const send: SendEdit = async ({ row, set }, version) => {
  server.sent.push({ row, set, version })
  await (server.answers.shift() ?? (() => Promise.resolve({})))()
}
export const route: OutboxRoute = {
  kinds: { campaign: () => Promise.resolve({ send }) },
  shop: () => server.shop,
  onSent: ({ name }) => server.outcomes.push(`sent ${name}`),
  onRefused: ({ name }, reason) => server.outcomes.push(`refused ${name}: ${reason}`),
}

/** An answer that refuses. */
export function refuse(status: number, errorCode: string, extra: object = {}) {
  return () =>
    Promise.reject(
      new ApiError(
        status,
        { errorCode: errorCode as 'FORBIDDEN', message: 'No.', details: [], requestId: '' },
        { ...extra },
      ),
    )
}
export const conflict = (current: object) => refuse(409, 'VERSION_CONFLICT', { current })
export const lost = () => Promise.reject(new NetworkError(false, 'gone'))
export const slow = () => Promise.reject(new NetworkError(true, 'late'))
