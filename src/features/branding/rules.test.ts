import { expect, test } from 'vitest'
import { contrastOf, describeContrast, textOn, textOnPaper } from './rules.ts'

test('contrast is what WCAG defines, in either order', () => {
  expect(contrastOf('#000000', '#ffffff')).toBeCloseTo(21, 5)
  expect(contrastOf('#ffffff', '#767676')).toBeCloseTo(4.54, 2)
  expect(contrastOf('#0b5d6b', '#0b5d6b')).toBe(1)
})

test('text on any color has the contrast that WCAG asks for', () => {
  for (let red = 0; red < 256; red += 15)
    for (let green = 0; green < 256; green += 15)
      for (let blue = 0; blue < 256; blue += 15) {
        const color = `#${[red, green, blue].map(part => part.toString(16).padStart(2, '0')).join('')}`
        expect(contrastOf(color, textOn(color))).toBeGreaterThan(4.5)
        expect(contrastOf('#ffffff', textOnPaper(color))).toBeGreaterThan(4.5)
      }
})

test('a light color is not used for text on paper, and the sentence says so', () => {
  expect(textOnPaper('#ffd54a')).toBe('#14212b')
  expect(describeContrast('#ffd54a')).toEqual({
    isReadable: false,
    sentence:
      'Too light for text on white paper (1.4 to 1, at least 4.5 is needed), so such text is printed dark. Black text on it has a contrast of 14.9 to 1.',
  })
  expect(describeContrast('#0b5d6b')).toMatchObject({ isReadable: true, sentence: expect.stringMatching(/^Easy/) })
})
