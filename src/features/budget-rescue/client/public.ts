export { BudgetRescue } from './budget-rescue.tsx'
export { useAdvice } from './queries.ts'
export { raiseText } from './texts.ts'
