/** The indexes of records that their collections no longer ask for: a migration drops them. */

export const replacedIndexes: readonly string[] = ['webhook_deliveries', 'form_deliveries', 'image_jobs'].flatMap(
  (collection) =>
    ['target,subject,state,sequence', 'target,state,sequence'].map((fields) => `records_by:${collection}:${fields}`),
)
