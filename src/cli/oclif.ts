/**
 * The parts of oclif that `main` loads when it needs them. A module of its own,
 * because a bundler gives a dynamic import of a CommonJS package no names.
 */
export { Config } from '@oclif/core/config';
export { run } from '@oclif/core/run';
