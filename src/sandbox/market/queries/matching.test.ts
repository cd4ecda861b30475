import { describe, expect, test } from 'vitest'
import { keywordMatches, type MatchType, matchWords } from './matching.ts'

const matches = (matchType: MatchType, keyword: string, search: string): boolean =>
  keywordMatches(matchType, matchWords(keyword), matchWords(search))

describe('match types', () => {
  test.each<[MatchType, string, string, boolean]>([
    ['EXACT', 'water bottle', 'water bottles', true],
    ['EXACT', 'Water-Bottle', 'water bottle', true],
    ['EXACT', 'water bottle', 'bottle water', false],
    ['EXACT', 'water bottle', 'kids water bottle', false],
    ['EXACT', 'bottle for gym', 'bottle gym', true],
    ['PHRASE', 'water bottle', 'kids water bottle with straw', true],
    ['PHRASE', 'water bottle', 'bottle of cold water', false],
    ['BROAD', 'bottle water', 'kids water bottles', true],
    ['BROAD', 'water bottle', 'water jug', false],
    ['BROAD', '水筒 子供', '子供 水筒', true],
    ['NEGATIVE_EXACT', 'water bottles', 'water bottle', true],
    ['NEGATIVE_EXACT', 'water', 'water bottle', false],
    ['NEGATIVE_PHRASE', 'water', 'water bottle', true],
    ['NEGATIVE_PHRASE', 'waters edge', 'water bottle', false],
    ['PHRASE', '', 'water bottle', false],
    ['BROAD', 'für', 'flasche für kinder', false],
  ])('%s "%s" against "%s": %s', (matchType, keyword, search, expected) => {
    expect(matches(matchType, keyword, search)).toBe(expected)
  })
})
