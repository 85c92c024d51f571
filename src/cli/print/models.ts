import { LecternError } from '../../core/errors.ts';
import type { ResultOf } from '../../protocol/admin/method.ts';
import type { verifyModels } from '../../protocol/admin/verify-models.ts';
import type { Look } from './look.ts';

export type VerifiedModel = ResultOf<typeof verifyModels>['models'][number];

/** The bundled model comes with the package and from nowhere else. */
const REINSTALL = 'npm install --global lectern   (the model comes with the package)';

const CATEGORY = {
  missing: 'model_missing',
  corrupt: 'model_corrupt',
  checksum_mismatched: 'model_checksum_mismatch',
} as const;

/** One block a model: what it is, where it lies, how true its vectors are. */
export function formatModels(models: readonly VerifiedModel[], { paint }: Look): string {
  return models
    .map(({ name, version, directory, state, detail, drift }) => {
      const verdict = state === 'ok' ? paint.good('ok') : paint.bad(state.replaceAll('_', ' '));
      const lines = [`${name} ${version}: ${verdict}`, `  ${paint.quiet(directory)}`];
      if (detail !== null) lines.push(`  ${detail}`);
      if (drift !== null) {
        const { median, lowest, floor } = drift;
        const compared = `  vectors agree with the model card: cosine ${median.toFixed(4)} median, ${lowest.toFixed(4)} lowest`;
        lines.push(
          median >= floor
            ? compared
            : `${compared}\n  ${paint.bad(`below ${floor}: this processor moves them; results suffer`)}`,
        );
      }
      return lines.join('\n');
    })
    .join('\n');
}

/**
 * @throws LecternError model_missing, model_corrupt, model_checksum_mismatch for the first model that is not whole
 */
export function failUnlessWhole(models: readonly VerifiedModel[]): void {
  const broken = models.find(({ state }) => state !== 'ok');
  if (broken === undefined || broken.state === 'ok') return;
  throw new LecternError(CATEGORY[broken.state], broken.detail ?? broken.state, {
    next: REINSTALL,
  });
}
