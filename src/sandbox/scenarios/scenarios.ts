import type { Scenarios } from '../core/world.ts'
import { demo, small } from './demo.ts'
import { hostile } from './hostile.ts'
import { large } from './large.ts'
import { newSeller } from './new-seller.ts'

/** The worlds that the emulator can be reset to, by name. Each call makes a new store. */
export const scenarios: Scenarios = { demo, small, 'new-seller': newSeller, large, hostile }
