import { expect, test } from 'vitest'
import { type Draft, mergeDrafts } from './draft.ts'
import { freshWizard } from './wizard-state.ts'

function draft(id: string, minute: number): Draft {
  return {
    id,
    changedAt: `2026-11-20T10:0${minute}:00.000Z`,
    state: freshWizard('SMART'),
  }
}
function keep(own: Draft | null, sentAt: string | null = null, discardedId: string | null = null) {
  return {
    draft: own,
    sentAt,
    discardedId,
  }
}

test('nothing anywhere is no draft', () => {
  expect(mergeDrafts(keep(null), null)).toBeNull()
})
test('a draft of another device is offered here', () => {
  const theirs = draft('theirs-0001', 1)
  expect(mergeDrafts(keep(null), theirs)).toBe(theirs)
})
test('of two, the later change wins, whichever side it is on', () => {
  const [early, late] = [draft('one-draft-1', 1), draft('one-draft-1', 2)]
  expect(mergeDrafts(keep(early), late)).toBe(late)
  expect(mergeDrafts(keep(late), early)).toBe(late)
})
test('a change made from the server’s newest version wins, however slow the device’s clock is', () => {
  const theirs = { ...draft('one-draft-1', 5), version: 3 }
  const mine = { ...draft('one-draft-1', 1), version: 3 }
  expect(mergeDrafts(keep(mine, theirs.changedAt), theirs)).toBe(mine)
  expect(mergeDrafts(keep({ ...mine, version: 2 }), theirs)).toBe(theirs)
})
test('one that the server never had is kept', () => {
  const mine = draft('mine-00001', 1)
  expect(mergeDrafts(keep(mine), null)).toBe(mine)
})
test('one that the server had and has no more was finished elsewhere, unless it was changed here since', () => {
  const mine = draft('mine-00001', 1)
  expect(mergeDrafts(keep(mine, mine.changedAt), null)).toBeNull()
  expect(mergeDrafts(keep(draft('mine-00001', 2), mine.changedAt), null)?.changedAt).toBe('2026-11-20T10:02:00.000Z')
})
test('one that the server had is kept while the server cannot be asked', () => {
  const mine = draft('mine-00001', 1)
  expect(mergeDrafts(keep(mine, mine.changedAt), undefined)).toBe(mine)
})
test('one that was thrown away here does not come back from the server', () => {
  expect(mergeDrafts(keep(null, null, 'gone-00001'), draft('gone-00001', 5))).toBeNull()
})
