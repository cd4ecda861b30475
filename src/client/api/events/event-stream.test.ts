import { expect, it } from 'vitest'
import { createEventParser, type ServerEvent } from './event-stream.ts'

const parseAll = (...chunks: string[]): ServerEvent[] => {
  const events: ServerEvent[] = []
  const parse = createEventParser(event => events.push(event))
  chunks.forEach(parse)
  return events
}

it('reads name, id and data of an event', () => {
  expect(parseAll('event: seeding\nid: 4\ndata: {"progress":0.5}\n\n')).toEqual([
    { event: 'seeding', id: '4', data: '{"progress":0.5}' },
  ])
})
it('joins events that arrive in pieces, cut anywhere', () => {
  const text = 'data: one\r\n\r\nevent: x\ndata: two\ndata: lines\n\n'
  const whole = parseAll(text)
  expect(whole).toEqual([
    { event: 'message', id: undefined, data: 'one' },
    { event: 'x', id: undefined, data: 'two\nlines' },
  ])
  expect(parseAll(...text.split(''))).toEqual(whole)
})
it('ignores comments, which only keep the line open, and events without data', () => {
  expect(parseAll(': ping\n\n', 'event: empty\n\n')).toEqual([])
})
