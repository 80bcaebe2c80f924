import fc from 'fast-check';

// One seed for all properties, printed by `npm test`, so that a failure can be repeated.
const seed = Number(process.env['ASSAY_SEED'] ?? 20_260_510);
fc.configureGlobal({ seed });
