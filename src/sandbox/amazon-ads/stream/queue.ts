import { createHash, randomUUID } from 'node:crypto'

export interface QueuedMessage {
  messageId: string
  body: string
  /** World time from which on it may be received (again). */
  visibleAt: number
  /** Of the last time it was received; each time another. */
  receipt: string | null
}

/** A queue with at-least-once delivery: what is received and not deleted in time comes again. */
export interface MessageQueue {
  put(body: string): void
  receive(most: number, hiddenMs: number, now: number): { messageId: string; receipt: string; body: string }[]
  /** False when no message has this receipt (any more). */
  remove(receipt: string): boolean
  readonly size: number
  dump(): QueuedMessage[]
  restore(messages: QueuedMessage[]): void
}

export const md5 = (text: string): string => createHash('md5').update(text).digest('hex')

/** An empty queue. */
export const createQueue = (): MessageQueue => {
  let messages = new Map<string, QueuedMessage>()
  const byReceipt = new Map<string, string>()
  return {
    put(body) {
      const messageId = randomUUID()
      messages.set(messageId, { messageId, body, visibleAt: 0, receipt: null })
    },
    receive(most, hiddenMs, now) {
      const found = []
      for (const message of messages.values()) {
        if (found.length === most) break
        if (message.visibleAt > now) continue
        const receipt = randomUUID()
        if (message.receipt) byReceipt.delete(message.receipt)
        byReceipt.set(receipt, message.messageId)
        message.receipt = receipt
        message.visibleAt = now + hiddenMs
        found.push({ messageId: message.messageId, receipt, body: message.body })
      }
      return found
    },
    remove(receipt) {
      const messageId = byReceipt.get(receipt)
      byReceipt.delete(receipt)
      return messageId !== undefined && messages.delete(messageId)
    },
    get size() {
      return messages.size
    },
    dump: () => [...messages.values()],
    restore(kept) {
      messages = new Map(kept.map(message => [message.messageId, { ...message, visibleAt: 0, receipt: null }]))
      byReceipt.clear()
    },
  }
}
