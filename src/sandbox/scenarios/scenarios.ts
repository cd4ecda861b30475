import { demo, small } from './demo.ts'
import { hostile } from './hostile.ts'
import { large } from './large.ts'
import { newSeller } from './new-seller.ts'
import type { MakeScenario } from './scenario-draft.ts'

/** The worlds that the sandbox can be reset to, by name. Each call makes books of its own. */
export const scenarios: Record<string, MakeScenario> = { demo, small, 'new-seller': newSeller, large, hostile }
