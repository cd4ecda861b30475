import type { Ctx } from '#server/context.ts'
import type { EndpointOutput } from '#shared/define-endpoint.ts'
import type { SurveyAnswers, surveyEndpoints } from '../survey-contract.ts'

/** Stores the caller's answers in the place of earlier ones. */
export async function answerSurvey({ db, actor, clock }: Ctx, answers: SurveyAnswers): Promise<null> {
  const values = {
    goal: answers.goal,
    experience: answers.experience,
    catalogue_size: answers.catalogueSize,
    shows_steps: answers.showsSteps,
    answered_at: clock.now(),
  }
  await db.system
    .insertInto('onboarding_survey')
    .values({ account_id: actor.accountId, ...values })
    .onConflict(conflict => conflict.column('account_id').doUpdateSet(values))
    .execute()
  return null
}

/** The caller's answers; all null before they answered. */
export async function readSurvey({ db, actor }: Ctx): Promise<EndpointOutput<typeof surveyEndpoints.read>> {
  const row = await db.system
    .selectFrom('onboarding_survey')
    .select(['goal', 'experience', 'catalogue_size as catalogueSize', 'shows_steps as showsSteps'])
    .select('answered_at as answeredAt')
    .where('account_id', '=', actor.accountId)
    .executeTakeFirst()
  if (!row) return { goal: null, experience: null, catalogueSize: null, showsSteps: true, answeredAt: null }
  return { ...(row as unknown as SurveyAnswers), answeredAt: row.answeredAt.toISOString() }
}
