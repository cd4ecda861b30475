import type { z } from 'zod'
import { parseLossless } from '#server/http-client/lossless.ts'
import { fromStreamRecord } from './mapper.ts'
import type { StreamRecord } from './vocabulary.ts'
import { envelopeWire, streamRecordWire } from './wire.ts'

export type Envelope = z.output<typeof envelopeWire>

const orReason = <T>(read: () => T): T | { reason: string } => {
  try {
    return read()
  } catch (error) {
    return { reason: error instanceof Error ? error.message.slice(0, 300) : 'unreadable' }
  }
}

/** The topic's envelope in a message's body; what is none is told by its reason. */
export const readEnvelope = (body: string): { envelope: Envelope } | { reason: string } =>
  orReason(() => ({ envelope: envelopeWire.parse(JSON.parse(body)) }))

/** The records inside an envelope; what cannot be read is told by its reason. */
export const readRecords = (message: string): { records: StreamRecord[] } | { reason: string } =>
  orReason(() => {
    const read = parseLossless(message)
    const records = (Array.isArray(read) ? read : [read]).map(record => streamRecordWire.parse(record))
    return { records: records.map(fromStreamRecord) }
  })
