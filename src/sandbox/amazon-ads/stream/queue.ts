import { createHash, randomUUID } from 'node:crypto'

export type Sender = 'topic' | 'stranger'

export interface QueuedMessage {
  messageId: string
  body: string
  /** The sender: only a topic's messages are signed. */
  from: Sender
  sentAt: number
  /** World time from which on it may be received (again). */
  visibleAt: number
  /** Of the last time it was received; each time another. */
  receipt: string | null
}

export type Received = Pick<QueuedMessage, 'messageId' | 'body' | 'from'> & { receipt: string }

/** A queue with at-least-once delivery: what is received and not deleted in time comes again, for 14 days. */
export interface MessageQueue {
  /** Answers the message's id. */
  put(body: string, from: Sender, now: number): string
  receive(most: number, hiddenMs: number, now: number): Received[]
  /** False when no message has this receipt (any more). */
  remove(receipt: string): boolean
  readonly size: number
  dump(): QueuedMessage[]
  restore(messages: QueuedMessage[]): void
}

/** The longest retention that a queue may have. */
const KEPT_MS = 14 * 86_400_000

export const md5 = (text: string): string => createHash('md5').update(text).digest('hex')

/** An empty queue. */
export function createQueue(): MessageQueue {
  let messages = new Map<string, QueuedMessage>()
  const byReceipt = new Map<string, string>()
  const forgetOld = (now: number): void => {
    for (const { messageId, sentAt, receipt } of messages.values()) {
      if (sentAt >= now - KEPT_MS) return
      messages.delete(messageId)
      if (receipt) byReceipt.delete(receipt)
    }
  }
  return {
    put(body, from, now) {
      forgetOld(now)
      const messageId = randomUUID()
      messages.set(messageId, { messageId, body, from, sentAt: now, visibleAt: 0, receipt: null })
      return messageId
    },
    receive(most, hiddenMs, now) {
      forgetOld(now)
      const found: Received[] = []
      for (const message of messages.values()) {
        if (found.length === most) break
        if (message.visibleAt > now) continue
        const receipt = randomUUID()
        if (message.receipt) byReceipt.delete(message.receipt)
        byReceipt.set(receipt, message.messageId)
        message.receipt = receipt
        message.visibleAt = now + hiddenMs
        found.push({ messageId: message.messageId, receipt, body: message.body, from: message.from })
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
    restore(state) {
      messages = new Map(state.map(message => [message.messageId, { ...message, visibleAt: 0, receipt: null }]))
      byReceipt.clear()
    },
  }
}
