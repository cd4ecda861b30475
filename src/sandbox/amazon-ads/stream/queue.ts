import { randomUUID } from 'node:crypto'

export interface QueuedMessage {
  messageId: string
  body: string
  /** The sender: only a topic's messages are signed. */
  from: 'topic' | 'stranger'
  sentAt: number
  /** World time from which on it may be received (again). */
  visibleAt: number
  /** Of the last time it was received; each time another. */
  receipt: string | null
}

const RETENTION_MS = 14 * 86_400_000

/** A queue with at-least-once delivery: what is received and not deleted in time comes again, for 14 days. */
export class MessageQueue {
  private messages = new Map<string, QueuedMessage>()
  private readonly byReceipt = new Map<string, string>()

  get size(): number {
    return this.messages.size
  }

  /** Answers the message's id. */
  put(body: string, from: QueuedMessage['from'], now: number): string {
    this.dropOld(now)
    const messageId = randomUUID()
    this.messages.set(messageId, { messageId, body, from, sentAt: now, visibleAt: 0, receipt: null })
    return messageId
  }

  receive(most: number, hiddenMs: number, now: number): QueuedMessage[] {
    this.dropOld(now)
    const found: QueuedMessage[] = []
    for (const message of this.messages.values()) {
      if (found.length === most) break
      if (message.visibleAt > now) continue
      const receipt = randomUUID()
      if (message.receipt) this.byReceipt.delete(message.receipt)
      this.byReceipt.set(receipt, message.messageId)
      message.receipt = receipt
      message.visibleAt = now + hiddenMs
      found.push({ ...message })
    }
    return found
  }

  /** False when no message has this receipt (any more). */
  remove(receipt: string): boolean {
    const messageId = this.byReceipt.get(receipt)
    this.byReceipt.delete(receipt)
    return messageId !== undefined && this.messages.delete(messageId)
  }

  dump(): QueuedMessage[] {
    return [...this.messages.values()]
  }

  restore(state: QueuedMessage[]): void {
    this.messages = new Map(state.map(message => [message.messageId, { ...message, visibleAt: 0, receipt: null }]))
    this.byReceipt.clear()
  }

  private dropOld(now: number): void {
    for (const { messageId, sentAt, receipt } of this.messages.values()) {
      if (sentAt >= now - RETENTION_MS) return
      this.messages.delete(messageId)
      if (receipt) this.byReceipt.delete(receipt)
    }
  }
}
