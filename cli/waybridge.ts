#!/usr/bin/env node
import { loadChunk } from '../server/start/load-chunk.ts';
import { optimizeLater } from '../server/start/optimizing.ts';

optimizeLater();
loadChunk('main.js');
