import { svelte } from '@sveltejs/vite-plugin-svelte';
import vue from '@vitejs/plugin-vue';
import { defineConfig } from 'vite';

const isCustomElement = (tag) => tag === 'service-trips-map';

// React needs no plug-in for the element, Svelte no option.
export default defineConfig({
  plugins: [vue({ template: { compilerOptions: { isCustomElement } } }), svelte()],
});
